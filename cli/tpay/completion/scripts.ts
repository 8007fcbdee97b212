/** The script that each shell runs; all of them ask `tpay __complete`, so that one place knows the commands. */
export const shells = {
  bash: `# tpay completion for bash
_tpay() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
    tpay __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _tpay tpay
`,
  zsh: `#compdef tpay
# tpay completion for zsh
_tpay() {
  local -a found
  found=("\${(@f)$(tpay __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- $found
}
if [ "$funcstack[1]" = "_tpay" ]; then _tpay "$@"; else compdef _tpay tpay; fi
`,
  fish: `# tpay completion for fish
function __tpay_complete
  set -l words (commandline -opc) (commandline -ct)
  tpay __complete $words[2..-1] 2>/dev/null
end
complete -c tpay -f -a '(__tpay_complete)'
`,
} as const;

export type Shell = keyof typeof shells;
export const shellNames = Object.keys(shells) as Shell[];

/** The line that puts each in its place, so that a new shell has it. */
export const howTo: Readonly<Record<Shell, string>> = {
  bash: 'tpay completion bash > ~/.local/share/bash-completion/completions/tpay',
  zsh: 'tpay completion zsh > "$fpath[1]/_tpay"',
  fish: 'tpay completion fish > ~/.config/fish/completions/tpay.fish',
};
