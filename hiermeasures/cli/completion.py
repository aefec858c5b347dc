"""`completion`: what a shell reads so that it completes commands, options and measures."""

import argparse

from hiermeasures.cli import declare


@declare.command(
    "completion",
    "completion for a shell",
    "What a shell reads so that TAB completes commands, options, measures and files: "
    'eval "$(hiermeasures completion bash)" in ~/.bashrc, the same with zsh in ~/.zshrc, or '
    "hiermeasures completion fish > ~/.config/fish/completions/hiermeasures.fish",
    declare.choice("shell", ["bash", "zsh", "fish"], "which shell"),
)
def completion(arguments: argparse.Namespace) -> int:
    from argcomplete.shell_integration import shellcode

    print(shellcode(["hiermeasures"], shell=arguments.shell))
    return 0
