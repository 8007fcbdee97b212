import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

/** A shell that keeps its variables from one text to the next, and ends at the first line that fails. */
export interface Shell {
  /** @returns what it printed. @throws with that when a line failed */
  run(text: string): Promise<string>;
  /** Ends it and all that it has started. */
  stop(): Promise<void>;
}

/** A line that waits for something that never comes ends too. */
const patienceMs = 300_000;

export function openShell(options: {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}): Shell {
  const child = spawn('bash', ['-euo', 'pipefail'], options);
  const ended = once(child, 'close');
  let said = '';
  let heard = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      heard();
    });
  child.stdin.on('error', () => {});
  child.stdin.write("trap 'kill $(jobs -p) 2> /dev/null' EXIT\n");
  return {
    async run(text) {
      const mark = randomUUID();
      said = '';
      // A group of commands, so that none of them reads what follows.
      child.stdin.write(`{ ${text}\n} < /dev/null\necho ${mark}\n`);
      const late = setTimeout(() => child.kill(), patienceMs);
      const isDone = await new Promise<boolean>((resolve) => {
        heard = () => said.includes(mark) && resolve(true);
        void ended.then(() => resolve(false));
      });
      clearTimeout(late);
      if (!isDone) throw new Error(`the shell ended in:\n${text}\nand said:\n${said}`);
      return said.replace(`${mark}\n`, '');
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}
