import { existsSync } from 'node:fs';
import type { Console, Options } from '../options.ts';
import type { Answer } from '../post.ts';
import { plain } from '../show.ts';
import { readKeys } from './keys.ts';
import type { Passing } from './passing.ts';

/** An event that was sent to an address, and what that answered; both null: it has no address. */
export interface Handed extends Passing {
  readonly url: string | null;
  readonly answer: Answer | null;
}

/** Shows whoever listens what happens. */
export interface Printer {
  handed(handed: Handed): void;
  /** How the connection is. */
  state(line: string): void;
  note(line: string): void;
  /** Leaves the terminal as it was. */
  close(): void;
}

/** The actions that a key of the terminal starts. */
export interface Acts {
  again(handed: Handed): void;
  /** @returns the address that it has opened */
  open(handed: Handed): string;
  end(): void;
}

export const isGood = ({ answer }: Handed): boolean =>
  answer === null || (answer.status !== null && answer.status >= 200 && answer.status < 300);

/** Inside a container the machine outside has another name. */
const whereToLook = (): string =>
  existsSync('/.dockerenv')
    ? 'Inside a container the machine is host.docker.internal: --forward-to http://host.docker.internal:3000'
    : 'Start your server there; r sends the event again, and so does tpay events resend.';

/** A hint on what to do about an answer; null: it says so itself. */
export const hintOf = ({ url, answer }: Handed): string | null =>
  answer?.error === 'ECONNREFUSED' ? `nobody listens at ${url}. ${whereToLook()}` : null;

/** The time of day, UTC. */
export const timeOfDay = (): string => new Date().toISOString().slice(11, 19);

function jsonLine({ id, type, object_id, url, answer }: Handed): string {
  const { status = null, error = null, duration_ms = null } = answer ?? {};
  return JSON.stringify({ event_id: id, type, object_id, url, status, error, duration_ms });
}

function wordLines(handed: Handed): string[] {
  const { id, type, object_id, url, answer } = handed;
  const time = timeOfDay();
  const came = `${time}  --> ${type} [${id}]${object_id ? `  ${object_id}` : ''}`;
  if (answer === null) return [came];
  const { status, error, duration_ms, body } = answer;
  const answered = `${time}  <-- [${status ?? 'ERROR'}] POST ${url} ${error ?? ''} [${id}]  ${duration_ms} ms`;
  const said = !isGood(handed) && body ? [`          ${plain(body.slice(0, 500))}`] : [];
  return [came, answered, ...said];
}

/** Says what came and what became of it: a line of JSON, two lines, or nothing of what went well. */
export function openLines(
  terminal: Console,
  options: Options & { readonly quiet?: true },
  acts: Acts,
): Printer {
  let last: Handed | null = null;
  const ofLast = (act: (handed: Handed) => void) => () => void (last && act(last));
  const keys = {
    r: ofLast(acts.again),
    d: ofLast(({ body }) => terminal.out(JSON.stringify(JSON.parse(body), null, 2))),
    o: ofLast((handed) => terminal.err(acts.open(handed))),
    q: acts.end,
  };
  const close = terminal.ask && options.input !== false ? readKeys(keys) : () => {};
  const note = (line: string): void => terminal.err(line);
  return {
    handed(handed) {
      last = handed;
      if (options.json) return terminal.out(jsonLine(handed));
      if (options.quiet && isGood(handed)) return;
      for (const line of wordLines(handed)) terminal.out(line);
      const hint = hintOf(handed);
      if (hint !== null) terminal.err(`hint: ${hint}`);
    },
    state: note,
    note,
    close,
  };
}
