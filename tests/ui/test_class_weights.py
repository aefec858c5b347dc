"""Weighted classes in the Explorer: what the option changes, and what one instance cannot count."""

from .screen import bound, errors, opened, value


def test_leaves_weigh_and_the_table_says_how_much() -> None:
    # Of Figure 11(a)'s leaves T1, P1, P2 and C three are below B: B log2(4/3), its leaves log2(3), A 0.
    app = opened("options")
    bound(app, "option_class_weights").set_value("leaves").run()
    assert not app.exception
    assert value(app, "wF") == "0.15"  # 2·0.415 / (2·0.415 + 2·1.585 + 1.585)
    assert value(app, "hF") == "0.57"


def test_information_of_one_instance_is_refused_beside_the_field_and_the_values_stay() -> None:
    app = opened("options")
    bound(app, "option_class_weights").set_value("information").run()
    assert not app.exception
    assert any("information is counted over" in message for message in errors(app))
    assert bound(app, "option_class_weights").value == "one"
    assert value(app, "wF") == "0.57"
