import { existsSync } from 'node:fs';
import type { Console, Options } from '../options.ts';
import type { Answer } from '../post.ts';
import { plain } from '../show.ts';

export interface Handed {
  readonly id: string;
  readonly type: string;
  readonly object_id: string | null;
  readonly url: string | null;
  readonly answer: Answer | null;
}

const isGood = ({ answer }: Handed): boolean =>
  answer === null || (answer.status !== null && answer.status >= 200 && answer.status < 300);

/** Inside a container the machine outside has another name. */
const whereToLook = (): string =>
  existsSync('/.dockerenv')
    ? 'Inside a container the machine is host.docker.internal: --forward-to http://host.docker.internal:3000'
    : 'Start your server there; r sends the event again, and so does tpay events resend.';

/** Says what came and what became of it: a line of JSON, two lines, or nothing of what went well. */
export function openPrinter(terminal: Console, options: Options & { readonly quiet?: true }) {
  return {
    handed(handed: Handed): void {
      const { id, type, object_id, url, answer } = handed;
      if (options.json) {
        const { status = null, error = null, duration_ms = null } = answer ?? {};
        terminal.out(
          JSON.stringify({ event_id: id, type, object_id, url, status, error, duration_ms }),
        );
        return;
      }
      if (options.quiet && isGood(handed)) return;
      const time = new Date().toISOString().slice(11, 19);
      terminal.out(`${time}  --> ${type} [${id}]${object_id ? `  ${object_id}` : ''}`);
      if (answer === null || url === null) return;
      const { status, error, duration_ms } = answer;
      terminal.out(
        `${time}  <-- [${status ?? 'ERROR'}] POST ${url} ${error ?? ''} [${id}]  ${duration_ms} ms`,
      );
      if (error === 'ECONNREFUSED')
        terminal.err(`hint: nobody listens at ${url}. ${whereToLook()}`);
      if (!isGood(handed) && answer.body)
        terminal.out(`          ${plain(answer.body.slice(0, 500))}`);
    },
    note: (line: string): void => terminal.err(line),
  };
}
