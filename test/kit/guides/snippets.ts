/** A fenced block of a page: its language, and its label where it is a tab. */
export interface Snippet {
  readonly language: string;
  readonly label: string | null;
  readonly text: string;
}

/** The fenced blocks of a page, in its order. */
export const snippetsOf = (markdown: string): Snippet[] =>
  [...markdown.matchAll(/^```(\w+)(?: \[([^\]]+)\])?\n(.*?)^```$/gms)].map(
    ([, language = '', label = null, text = '']) => ({ language, label, text }),
  );

/** `receiver.mjs` of the label `SDK: receiver.mjs`: such a block is a file of its own. */
const fileOf = ({ label }: Snippet): string | null =>
  /(\w+\.(?:mjs|ts|py|go|yml))$/.exec(label ?? '')?.[1] ?? null;

/** The blocks that are files, by name. */
export const filesOf = (snippets: readonly Snippet[]): [string, string][] =>
  snippets.flatMap((snippet) => {
    const name = fileOf(snippet);
    return name === null ? [] : [[name, snippet.text] as [string, string]];
  });

/** How the blocks of a page that are no files make one program: by language and tab, from top to bottom. */
export const kinds = {
  shell: { language: 'sh', label: null },
  SDK: { language: 'js', label: 'SDK' },
  Node: { language: 'js', label: 'Node' },
  Python: { language: 'python', label: 'Python' },
  Go: { language: 'go', label: 'Go' },
} as const;
export type Kind = keyof typeof kinds;

/** @returns the program, empty where the page has none of this kind */
export function programOf(snippets: readonly Snippet[], kind: Kind): string {
  const { language, label } = kinds[kind];
  return snippets
    .filter((snippet) => snippet.language === language && fileOf(snippet) === null)
    .filter((snippet) => label === null || snippet.label === label)
    .map(({ text }) => text)
    .join('\n');
}

/** Commands of a script, each with the lines that continue it. */
const commandsOf = (script: string): string[] => script.replaceAll('\\\n', '\u0000').split('\n');

/**
 * A script that ends where a line does not do what its comment says: `# 422 withdrawal_hold` behind a
 * call that is refused, `# completed` behind a value that is picked.
 */
export const checkedScript = (script: string): string =>
  commandsOf(script)
    .map((command) => {
      const refused = /^(.*?)\s+# (\d{3}) (\w+)$/.exec(command);
      if (refused)
        return `{ ${refused[1]} || true; } | grep '"code":"${refused[3]}"' > /dev/null || { echo 'not ${refused[3]}: ${refused[1]?.replaceAll("'", '"')}'; exit 1; }`;
      const picked = /^(.*\| jq -r \S+)\s+# (\S+)$/.exec(command);
      if (picked)
        return `is=$(${picked[1]}); [ "$is" = '${picked[2]}' ] || { echo "$is is not ${picked[2]}"; exit 1; }`;
      return command;
    })
    .join('\n')
    .replaceAll('\u0000', '\\\n');

/** The lines that a program says it prints: the comments behind its printing lines. */
export const printedBy = (program: string): string[] =>
  [...program.matchAll(/^ *(?:console\.log|print|fmt\.Println)\(.*\);? +(?:\/\/|#) (.+)$/gm)].map(
    ([, said = '']) => said,
  );
