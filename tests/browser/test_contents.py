"""The search of the glossary and of the library, while a person types, and where what is found leads."""

from playwright.sync_api import Page, expect

from .screen import go_to, rests, until

IN_SIGHT = "(e) => { const { top } = e.getBoundingClientRect(); return top >= 0 && top < 0.8 * innerHeight; }"


def test_a_word_is_found_while_it_is_typed_its_definition_first_and_a_folded_measure_is_unfolded(
    page: Page,
) -> None:
    go_to(page, "Measures")
    field, found = page.get_by_role("searchbox"), page.locator(".hm-contents a")
    expect(found.first).to_have_text("Start with")
    field.press_sequentially("augmented")
    expect(found.first).to_contain_text("augmented set")
    field.press("Enter")
    word = page.locator("[id^=glossary_term]").filter(has_text="augmented set").first
    until(word, IN_SIGHT)
    field.fill("fall-out no such word")
    expect(page.locator(".hm-contents p")).to_have_text("Nothing here has these words.")
    field.fill("HCM_FNR")
    expect(found).to_have_count(1)
    card = page.locator("#glossary_HCM_FNR")
    expect(card).to_be_hidden()
    found.click()
    until(card, IN_SIGHT)
    rests(page)
    go_to(page, "Papers")
    expect(page.get_by_role("searchbox", name="Search figures and errata")).to_have_value("")
    go_to(page, "Measures")
    expect(page.get_by_role("searchbox", name="Search measures and terms")).to_have_value("HCM_FNR")
