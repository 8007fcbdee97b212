import { testDatabase } from '../kit/database.ts';
import { choicesOf } from '../kit/seed.ts';
import { startTestServer, type TestServer, type TestTenantOptions } from '../kit/server.ts';
import type { ProofContext, Verdict } from '../prove/proof.ts';
import { openStream } from './alone_opening.ts';
import { playStep } from './alone_stream.ts';
import { viewOf } from './alone_view.ts';
import { openTeller } from './alone_wire.ts';

/** The machine's clock stands still, so that each tenant's clock goes only where its stream moves it. */
const startMs = Date.UTC(2026, 10, 20, 15);
const beganAt = new Date(startMs).toISOString();
const tenantCount = 5;
const differencesTold = 3;
const rateLimit = 10_000_000;

const fee = { payment_type: 'consumer_to_merchant', source: 'balance', fixed: 0 } as const;

/** Each tenant lives by other settings: none may be another's. */
const tenantOf = (number: number): TestTenantOptions => ({
  rateLimit,
  settings: {
    fees: [{ ...fee, type: 'platform', basis_points: 10 * number, paid_by: 'payee' }],
    confirmation_grace_seconds: 60 * number,
    refund_window_days: 30 + number,
    payment_request_expires_in: 300 + number,
  },
});

/** What came of a tenant's stream. */
interface Life {
  readonly story: readonly string[];
  readonly view: readonly string[];
}

interface Stream {
  readonly seed: number;
  readonly number: number;
  readonly operations: number;
  readonly onOperation: () => void;
}

async function playLife(baseUrl: string, token: string, stream: Stream): Promise<Life> {
  const { seed, number, operations, onOperation } = stream;
  const teller = openTeller(baseUrl, token);
  const player = { teller, codes: [], step: 0 };
  try {
    await openStream(player);
    for (let done = 0; done < operations; player.step += 1) {
      const choices = choicesOf(seed, `tenant ${number} step ${player.step}`);
      if (!(await playStep(player, choices))) continue;
      done += 1;
      onOperation();
    }
    return { story: [...teller.story], view: await viewOf(teller, beganAt) };
  } finally {
    await teller.close();
  }
}

async function withService<T>(work: (on: TestServer) => Promise<T>, number: number): Promise<T> {
  const database = await testDatabase();
  try {
    const on = await startTestServer({
      database,
      workers: false,
      realNow: () => startMs,
      tenant: tenantOf(number),
      onLog: () => {},
    });
    let result: T;
    try {
      result = await work(on);
    } catch (error) {
      await on.stop().catch(() => {});
      throw error;
    }
    // Proves the whole book.
    await on.stop();
    return result;
  } finally {
    await database.drop();
  }
}

const numbers = Array.from({ length: tenantCount }, (_, number) => number);

/** All streams at once on one service. */
const playTogether = (streams: readonly Stream[]): Promise<Life[]> =>
  withService(async (on) => {
    const lives: Promise<Life>[] = [];
    for (const stream of streams) {
      const { token } =
        stream.number === 0 ? on.tenant : await on.anotherTenant(tenantOf(stream.number));
      lives.push(playLife(on.baseUrl, token, stream));
    }
    return Promise.all(lives);
  }, 0);

const playAlone = (stream: Stream): Promise<Life> =>
  withService((on) => playLife(on.baseUrl, on.token, stream), stream.number);

/** Where two tellings of one stream part. */
function partings(what: string, together: readonly string[], alone: readonly string[]): string[] {
  const found: string[] = [];
  const longest = Math.max(together.length, alone.length);
  for (let at = 0; at < longest && found.length < differencesTold; at += 1)
    if (together[at] !== alone[at])
      found.push(`${what} ${at}\n  together: ${together[at]}\n  alone:    ${alone[at]}`);
  return found;
}

/** The lines of one view that the other has not. */
function missing(what: string, these: readonly string[], those: readonly string[]): string[] {
  const known = new Set(those);
  return these
    .filter((line) => !known.has(line))
    .slice(0, differencesTold)
    .map((line) => `${what}: ${line}`);
}

function compare(together: Life, alone: Life): string[] {
  return [
    ...partings('operation', together.story, alone.story),
    ...missing('only together', together.view, alone.view),
    ...missing('only alone', alone.view, together.view),
    ...(together.view.length === alone.view.length
      ? []
      : [`${together.view.length} lines together, ${alone.view.length} alone`]),
  ];
}

/**
 * Plays `rounds` operations of five tenants at once, and then each tenant's by itself. All of it runs
 * in this process, so what the first tenant left in a module for ever would be there both times.
 */
export async function playBoth({ seed, rounds, progress }: ProofContext): Promise<Verdict> {
  let played = 0;
  const onOperation = () => {
    played += 1;
    if (played % 50 === 0) progress(Math.floor(played / 2));
  };
  const operations = Math.ceil(rounds / tenantCount);
  const streams = numbers.map((number) => ({ seed, number, operations, onOperation }));
  const together = await playTogether(streams);
  const alone = await Promise.all(streams.map(playAlone));
  const violations = numbers.flatMap((number) => {
    const [one, other] = [together[number], alone[number]];
    const found = one && other ? compare(one, other) : ['nothing was played'];
    return found.map((line) => `SEED=${seed} tenant ${number}: ${line}`);
  });
  const lines = (lives: readonly Life[]) => lives.reduce((sum, { view }) => sum + view.length, 0);
  return {
    rounds: operations * tenantCount,
    violations,
    figures: {
      tenants: tenantCount,
      replies: together.reduce((sum, { story }) => sum + story.length, 0),
      facts: lines(together),
    },
  };
}
