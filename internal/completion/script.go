package completion

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Command is the first argument with which the scripts ask the program for candidates;
// the words to be completed follow.
const Command = "__complete"

// filesWanted is the line that stands for all paths.
const filesWanted = ":files"

// Write answers a shell's script: a line for each candidate, its help after a tab, or
// one line for paths.
func Write(w io.Writer, app *kong.Application, words []string, values Values) error {
	candidates, files := Complete(app, words, values)
	if files {
		_, err := fmt.Fprintln(w, filesWanted)
		return err
	}
	for _, c := range candidates {
		if _, err := fmt.Fprintln(w, strings.TrimSuffix(c.Word+"\t"+c.Help, "\t")); err != nil {
			return err
		}
	}
	return nil
}

// Shells lists the shells that there are scripts for.
func Shells() []string { return slices.Sorted(maps.Keys(scripts)) }

// Script is the script that makes a shell complete the command lines of a program, empty
// for a shell that is none of Shells.
func Script(shell, program string) string {
	return strings.NewReplacer("PROGRAM", program, "COMMAND", Command, "FILES", filesWanted).Replace(scripts[shell])
}

var scripts = map[string]string{
	"bash": `# Completion of PROGRAM for bash. For this session: source <(PROGRAM completion bash)
_PROGRAM() {
    local IFS=$'\n' line lines
    lines=($("${COMP_WORDS[0]}" COMMAND "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
    COMPREPLY=()
    if [ "${lines[0]}" = FILES ]; then
        compopt -o filenames 2>/dev/null
        local word=${COMP_WORDS[COMP_CWORD]}
        COMPREPLY=($(compgen -f -- "${word#=}"))
        return
    fi
    for line in "${lines[@]}"; do
        COMPREPLY+=("${line%%$'\t'*}")
    done
}
complete -F _PROGRAM PROGRAM
`,
	"zsh": `#compdef PROGRAM
# Completion of PROGRAM for zsh. For this session: source <(PROGRAM completion zsh)
_PROGRAM() {
    local line word
    local -a lines described
    lines=("${(@f)$("${words[1]}" COMMAND "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ "${lines[1]}" == FILES ]]; then
        _files
        return
    fi
    for line in "${lines[@]}"; do
        [[ -n "$line" ]] || continue
        word="${line%%$'\t'*}"
        described+=("${word//:/\\:}:${${line#"$word"}#$'\t'}")
    done
    _describe PROGRAM described
}
(( $+functions[compdef] )) && compdef _PROGRAM PROGRAM
`,
	"fish": `# Completion of PROGRAM for fish. For this session: PROGRAM completion fish | source
function __PROGRAM_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($before[1] COMMAND $before[2..-1] "$current" 2>/dev/null)
    if test "$lines[1]" = FILES
        __fish_complete_path "$current"
    else
        printf '%s\n' $lines
    end
end
complete -c PROGRAM -f -a '(__PROGRAM_complete)'
`,
}
