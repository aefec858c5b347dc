"""How a card is laid out: text, values and question beside its drawing, below each other on narrow screens."""

STYLE = """<style>
[data-testid="stMainBlockContainer"] {
  padding-left: 1.75rem; padding-right: 1.75rem; max-width: none; --hm-table: none;
}
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: 0.75rem; }
.st-key-learn_head { gap: 1.5rem; }
.st-key-learn_place > :nth-child(2) { flex: 1 1 8rem; min-width: 0; }
.st-key-learn_drawings { --hm-around: 11rem; --hm-legend: 3.3rem; flex-direction: row; }
.st-key-learn_drawings > * { flex: 1 1 0; min-width: 0; }
.st-key-learn_pair .st-key-learn_drawings { --hm-around: 30.5rem; --hm-least: 17rem; }
.st-key-learn_pair .st-key-learn_drawing_0, .st-key-learn_pair .st-key-learn_drawing_1 { gap: 0.25rem; }
.st-key-learn_ways { margin-top: 0.5rem; }
@media (min-width: 901px) {
  .st-key-learn_single {
    display: grid; grid-template: auto auto 1fr / minmax(0, 5fr) minmax(0, 7fr); column-gap: 2rem; align-items: start;
  }
  .st-key-learn_single > * { grid-column: 1; min-width: 0; }
  .st-key-learn_single > :has(> .st-key-learn_drawings) { grid-column: 2; grid-row: 1 / -1; }
  .st-key-learn_pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); align-items: start; }
  .st-key-learn_pair, .st-key-learn_single { column-gap: 2rem !important; }
  .st-key-learn_pair > * { min-width: 0; }
  .st-key-learn_pair > :nth-child(-n+2), .st-key-learn_pair > :nth-child(3):last-child { grid-column: 1 / -1; }
}
@media (max-width: 900px) {
  [data-testid="stMainBlockContainer"] { padding-left: 0.9rem; padding-right: 0.9rem; }
  .st-key-learn_drawings { flex-direction: column; --hm-around: 55vh; --hm-legend: auto; --hm-touch: pan-y; }
  .st-key-learn_pair .st-key-learn_drawings { --hm-around: 62vh; }
  .st-key-learn_drawings > * { flex: none; width: 100%; }
  [class*="st-key-learn_"] button, [class*="st-key-answer_"] button { min-height: 44px; min-width: 44px; }
}
</style>"""
