"""The look of the HTML on the Cases page: one style sheet for html.py and tables.py."""

from hiermeasures.ui.palette import EXPLAINED, UNEXPLAINED

STYLE = f"""<style>
.hm {{ font-size: 0.9375rem; line-height: 1.5; --faint: color-mix(in srgb, currentColor 14%, transparent);
    overflow-wrap: anywhere; }}
.hm h1, .hm h2, .hm h3 {{ padding: 0; margin: 0; line-height: 1.25; }}
.hm h1 {{ font-size: 1.9rem; font-weight: 650; }}
.hm h2 {{ font-size: 1.3rem; font-weight: 600; }}
.hm h3 {{ font-size: 1.05rem; font-weight: 600; }}
.hm .scroll + h3 {{ margin-top: 1.25rem; }}
.hm .cite {{ max-width: 66rem; }}
.hm p {{ margin: 0.25rem 0 0; max-width: 46rem; }}
.hm .lead {{ font-size: 1.0625rem; margin-top: 0.5rem; max-width: 52rem; }}
.hm a {{ color: inherit; }}
.hm .quiet {{ opacity: 0.72; font-size: 0.875rem; }}
.hm .num, .hm table.cells td {{ font-family: "Source Code Pro", ui-monospace, monospace;
    font-variant-numeric: tabular-nums; }}
.hm abbr {{ text-decoration: underline dotted; text-underline-offset: 0.2em; text-decoration-thickness: 1px;
    cursor: help; }}
.hm .scroll {{ overflow-x: auto; margin: 0.5rem 0 0.75rem; }}
.hm table {{ border-collapse: collapse; margin: 0; width: auto; }}
.hm th, .hm td {{ border: 0; padding: 0.2rem 0.7rem; text-align: left; vertical-align: baseline; font-size: 0.875rem; }}
.hm thead th {{ font-weight: 600; border-bottom: 1px solid color-mix(in srgb, currentColor 35%, transparent);
    white-space: nowrap; }}
.hm tbody.row {{ border-bottom: 1px solid var(--faint); }}
.hm table.lined tbody tr {{ border-bottom: 1px solid var(--faint); }}
.hm table.lined td {{ overflow-wrap: normal; }}
.hm td.words {{ overflow-wrap: anywhere; min-width: 9rem; }}
.hm th.side {{ font-weight: 400; opacity: 0.72; white-space: nowrap; }}
.hm tbody th {{ font-weight: 600; }}
.hm td.right, .hm th.right {{ text-align: right; }}
.hm td.ours {{ opacity: 0.85; }}
.hm table.cells td {{ font-size: 0.8125rem; }}
.hm table.cells td.words {{ font-family: inherit; font-size: 0.875rem; }}
.hm td.explained {{ background: {EXPLAINED}2e; }}
.hm td.unexplained {{ background: {UNEXPLAINED}40; }}
.hm .status, .hm table.cells td .status {{ display: inline-block; font-size: 0.75rem; line-height: 1.35;
    padding: 0 0.45rem;
  border-radius: 0.6rem; white-space: nowrap;
  background: color-mix(in srgb, currentColor 7%, transparent); cursor: help;
    font-family: "Source Sans", "Source Sans Pro", sans-serif; }}
.hm .status.explained, .hm table.cells td .status.explained {{ background: {EXPLAINED}5c; }}
.hm .status.unexplained, .hm table.cells td .status.unexplained {{ background: {UNEXPLAINED}80; font-weight: 600; }}
.hm .counts {{ display: flex; gap: 2.25rem; flex-wrap: wrap; margin: 0.25rem 0 0; padding: 0; }}
.hm .counts div {{ display: flex; flex-direction: column-reverse; }}
.hm .counts dt {{ font-weight: 400; font-size: 0.9375rem; }}
.hm .counts dd {{ margin: 0; font-size: 2.35rem; line-height: 1.15; font-weight: 600;
    font-variant-numeric: tabular-nums; }}
.hm .swatch {{ display: inline-block; width: 0.7rem; height: 0.7rem; border-radius: 0.2rem; margin-right: 0.4rem;
  background: color-mix(in srgb, currentColor 22%, transparent); }}
.hm .swatch.explained {{ background: {EXPLAINED}; }}
.hm .swatch.unexplained {{ background: {UNEXPLAINED}; }}
.hm .bar {{ display: flex; width: 9rem; height: 0.55rem; border-radius: 0.2rem; overflow: hidden; gap: 1px; }}
.hm .bar i {{ display: block; background: color-mix(in srgb, currentColor 22%, transparent); }}
.hm .bar i.explained {{ background: {EXPLAINED}; }}
.hm .bar i.unexplained {{ background: {UNEXPLAINED}; }}
.hm .note {{ border-left: 3px solid {EXPLAINED}; padding: 0 0 0 0.9rem; margin: 0.75rem 0 1rem; max-width: 52rem; }}
.hm .note.unexplained {{ border-color: {UNEXPLAINED}; }}
.hm .claim {{ display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: baseline; font-size: 0.8125rem; }}
.hm details {{ font-size: 0.9375rem; }}
.hm summary {{ cursor: pointer; opacity: 0.8; font-size: 0.875rem; }}
.hm blockquote {{ margin: 0.25rem 0 0; padding: 0 0 0 0.8rem; border-left: 2px solid var(--faint);
  font-style: italic; }}
.hm .note.erratum, .hm .note.plain {{ border-color: var(--faint); }}
.hm .note ul {{ margin: 0.15rem 0 0; padding-left: 1.1rem; }}
.hm .note li {{ margin: 0; font-size: 0.9375rem; }}
.hm .fault {{ border: 1px solid {UNEXPLAINED}; border-radius: 0.5rem; padding: 0.6rem 0.9rem; }}
.hm .thumbs {{ position: relative; display: flex; justify-content: center; align-items: center; gap: 1.1rem;
    height: 168px; }}
.hm .thumbs figure {{ margin: 0; min-width: 0; text-align: center; font-size: 0.75rem; line-height: 1.2; }}
.hm .thumbs figcaption {{ opacity: 0.72; margin-top: 0.25rem; }}
.hm .thumbs .more {{ position: absolute; top: -0.25rem; right: 0; font-size: 0.75rem; opacity: 0.72; }}
.hm table.signs td {{ font-size: 0.75rem; padding: 0.05rem 0.4rem; }}
.hm .drawn {{ display: flex; align-items: flex-end; justify-content: center; padding: 0.25rem 0 0.5rem; }}
.hm .legend {{ display: flex; flex-wrap: wrap; gap: 0.2rem 1.25rem; font-size: 0.8125rem; align-items: center; }}
.hm .legend span {{ display: inline-flex; align-items: center; gap: 0.4rem; }}
.hm td .rank {{ opacity: 0.6; font-size: 0.75rem; }}
.hm td.changed {{ background: {EXPLAINED}2e; }}
.hm td.kendall {{ line-height: 1.35; padding: 0.35rem 0.7rem; }}
.hm td.kendall small {{ display: block; font-size: 0.75rem; opacity: 0.8; }}
.hm .card-title {{ font-weight: 400; font-size: 0.875rem; line-height: 1.35; }}
.hm .chips {{ display: flex; flex-wrap: wrap; gap: 0.3rem; margin-top: 0.35rem; }}
@media (max-width: 1240px) {{
  .st-key-cases_head [data-testid="stHorizontalBlock"] {{ flex-wrap: wrap; }}
  .st-key-cases_head [data-testid="stColumn"] {{ flex: 1 1 100%; min-width: 100%; }}
}}
@media (max-width: 640px) {{
  .hm table.papers th, .hm table.papers td {{ padding: 0.2rem 0.22rem; font-size: 0.75rem; }}
  .hm table.papers th:last-child, .hm table.papers td:last-child {{ display: none; }}
}}
</style>"""
