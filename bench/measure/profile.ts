import { writeFile } from 'node:fs/promises';
import { WebSocket } from 'undici';
import { deferred } from '../load/deferred.ts';

/** The parts of a V8 CPU profile that are summed up here; Chrome's DevTools can open the file. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const shownFunctions = 30;
const samplingMicroseconds = 500;

interface Inspector {
  readonly ask: (method: string, params?: object) => Promise<unknown>;
  readonly close: () => void;
}

/** Connects to a process that was started with `--inspect=127.0.0.1:<port>`. */
async function openInspector(port: number): Promise<Inspector> {
  const reply = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await reply.json()) as { webSocketDebuggerUrl: string }[];
  if (!target) throw new Error('the inspector offers no target');
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result }: { id?: number; result?: unknown } = JSON.parse(String(data));
    if (id !== undefined) waiting.get(id)?.(result);
  });
  const opened = deferred<void>();
  socket.addEventListener('open', () => opened.resolve());
  socket.addEventListener('error', () => opened.reject(new Error('the inspector does not answer')));
  await opened.promise;
  let asked = 0;
  return {
    ask(method, params = {}) {
      asked += 1;
      const answer = deferred<unknown>();
      waiting.set(asked, answer.resolve);
      socket.send(JSON.stringify({ id: asked, method, params }));
      return answer.promise;
    },
    close: () => socket.close(),
  };
}

/** The functions with the most self time, in percent of the time that was not idle. */
function topFunctions({ nodes, samples, timeDeltas }: CpuProfile): string[] {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const file = url.split('/').slice(-2).join('/');
      return [id, `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`];
    }),
  );
  const spent = new Map<string, number>();
  let busy = 0;
  samples.forEach((id, index) => {
    const name = names.get(id) ?? '';
    const micros = timeDeltas[index] ?? 0;
    if (name.startsWith('(idle)')) return;
    busy += micros;
    spent.set(name, (spent.get(name) ?? 0) + micros);
  });
  return [...spent]
    .sort(([, a], [, b]) => b - a)
    .slice(0, shownFunctions)
    .map(([name, micros]) => `${((micros / busy) * 100).toFixed(1).padStart(5)} %  ${name}`);
}

/** Profiles the service during a run and writes the profile. @returns its top functions */
export async function profiled(
  inspectPort: number,
  file: string,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const inspector = await openInspector(inspectPort);
  try {
    await inspector.ask('Profiler.enable');
    await inspector.ask('Profiler.setSamplingInterval', { interval: samplingMicroseconds });
    await inspector.ask('Profiler.start');
    await work();
    const stopped = (await inspector.ask('Profiler.stop')) as { profile: CpuProfile };
    await writeFile(file, JSON.stringify(stopped.profile));
    return topFunctions(stopped.profile);
  } finally {
    inspector.close();
  }
}
