import { type Declaration, json, needsTenant, print } from './declare.ts';
import { operate } from './operate.ts';
import { type ExitCode, type Terminal, UsageError } from './terminal.ts';

interface Options {
  readonly tenant: string;
  readonly json?: true;
}

const linesOf = (settings: object): string[] =>
  Object.entries(settings).map(([key, value]) => `${key}=${JSON.stringify(value)}`);

function get(terminal: Terminal, options: Options): ExitCode {
  const { tenant } = options;
  const answer = operate(terminal, 'settings', 'get', { tenant });
  const next = `Replace some with: settings set KEY=JSON --tenant ${tenant}`;
  return print(terminal, options, answer, [...linesOf(answer), next]);
}

/** `KEY=JSON`, where a shell may have taken the quotes of the JSON away. */
function changeOf(text: string): [key: string, value: unknown] {
  const at = text.indexOf('=');
  try {
    if (at > 0) return [text.slice(0, at), JSON.parse(text.slice(at + 1))];
  } catch {
    // Told below.
  }
  const hint = `Write KEY=JSON, a text in both quotes: 'account_structure="dedicated_fbo"'.`;
  throw new UsageError(`${text} is not KEY=JSON`, hint);
}

/** `settings set`: replaces each key that is given, as a whole. */
function set(terminal: Terminal, texts: readonly string[], options: Options): ExitCode {
  const { tenant } = options;
  const changes = Object.fromEntries(texts.map(changeOf));
  const answer = operate(terminal, 'settings', 'set', { tenant, changes });
  const changed = linesOf(answer).filter((line) => (line.split('=', 1)[0] ?? '') in changes);
  const next = `They hold in every process within a second. See all with: settings get --tenant ${tenant}`;
  return print(terminal, options, answer, [...changed, next]);
}

export function declareSettings({ terminal, root, add }: Declaration): void {
  const settings = add(root, 'settings', 'the settings of a tenant', []);
  const flags = [needsTenant, json];
  add(settings, 'get', 'show the settings', flags, (options: Options) => get(terminal, options));
  const about = 'replace these settings, each as a whole';
  add(settings, 'set <key=json...>', about, flags, (options: Options, texts) =>
    set(terminal, texts, options),
  );
}
