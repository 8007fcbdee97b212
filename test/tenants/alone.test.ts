import { choicesOf } from '../kit/seed.ts';
import { startTestServer, type TestServer, type TestTenantOptions } from '../kit/server.ts';
import { proofTest } from '../prove/proof.ts';
import { openPeople, playStep } from './alone_operations.ts';
import { openProgram, viewOf } from './alone_program.ts';

/** The machine's clock stands still: each tenant's clock goes only where its operations move it. */
const startMs = Date.UTC(2026, 10, 20, 15);
const beganAt = new Date(startMs).toISOString();
const tenantCount = 5;
const differencesShown = 3;

const fee = { payment_type: 'consumer_to_merchant', source: 'balance', fixed: 0 } as const;

/** Each tenant has other settings: none may be another's. */
const tenantOf = (number: number): TestTenantOptions => ({
  rateLimit: 10_000_000,
  settings: {
    fees: [{ ...fee, type: 'platform', basis_points: 10 * number, paid_by: 'payee' }],
    confirmation_grace_seconds: 60 * number,
    refund_window_days: 30 + number,
    payment_request_expires_in: 300 + number,
  },
});

/** A tenant's requests with their replies, and all that it can read at the end. */
interface Run {
  readonly story: readonly string[];
  readonly view: readonly string[];
}

/** The operations of one tenant. */
interface Stream {
  readonly seed: number;
  readonly number: number;
  readonly operations: number;
  readonly onOperation: () => void;
}

async function runStream(baseUrl: string, token: string, stream: Stream): Promise<Run> {
  const { seed, number, operations, onOperation } = stream;
  const program = openProgram(baseUrl, token);
  const player = { program, codes: [], step: 0 };
  try {
    await openPeople(player);
    for (let done = 0; done < operations; player.step += 1) {
      const choices = choicesOf(seed, `tenant ${number} step ${player.step}`);
      if (!(await playStep(player, choices))) continue;
      done += 1;
      onOperation();
    }
    return { story: [...program.story], view: await viewOf(program, beganAt) };
  } finally {
    await program.close();
  }
}

/** Runs it on a server of its own, whose whole ledger is proven as it stops. */
async function onServer<T>(number: number, work: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await startTestServer({
    workers: false,
    realNow: () => startMs,
    tenant: tenantOf(number),
    onLog: () => {},
  });
  const result = await work(server).catch(async (error: unknown) => {
    await server.stop().catch(() => {});
    throw error;
  });
  await server.stop();
  return result;
}

/** The first places where the two runs of one stream differ. */
function differences(together: Run, alone: Run): string[] {
  const missing = (what: string, these: readonly string[], those: readonly string[]) => {
    const known = new Set(those);
    const lines = these.filter((line) => !known.has(line)).slice(0, differencesShown);
    return lines.map((line) => `${what}: ${line}`);
  };
  const longest = together.story.length > alone.story.length ? together.story : alone.story;
  const parted = longest.flatMap((_, at) =>
    together.story[at] === alone.story[at]
      ? []
      : [`operation ${at}\n  together: ${together.story[at]}\n  alone:    ${alone.story[at]}`],
  );
  const [some, others] = [together.view.length, alone.view.length];
  return [
    ...parted.slice(0, differencesShown),
    ...missing('only together', together.view, alone.view),
    ...missing('only alone', alone.view, together.view),
    ...(some === others ? [] : [`${some} lines together, ${others} alone`]),
  ];
}

/**
 * All of it runs in this process, so what the first tenant left in a module for ever would be there both
 * times.
 */
proofTest(
  "operations of five tenants at once are what each tenant's are alone",
  600,
  async ({ seed, rounds, progress }) => {
    let played = 0;
    const onOperation = () => {
      played += 1;
      progress(Math.floor(played / 2));
    };
    const operations = Math.ceil(rounds / tenantCount);
    const streams = Array.from({ length: tenantCount }, (_, number): Stream => {
      return { seed, number, operations, onOperation };
    });
    const together = await onServer(0, async (server) => {
      const tenants = [server.tenant];
      for (const { number } of streams.slice(1))
        tenants.push(await server.anotherTenant(tenantOf(number)));
      return Promise.all(
        streams.map((stream) =>
          runStream(server.baseUrl, tenants[stream.number]?.token ?? '', stream),
        ),
      );
    });
    const alone = await Promise.all(
      streams.map((stream) =>
        onServer(stream.number, (server) => runStream(server.baseUrl, server.token, stream)),
      ),
    );
    const violations = streams.flatMap(({ number }) => {
      const [one, other] = [together[number], alone[number]];
      const found = one && other ? differences(one, other) : ['nothing was played'];
      return found.map((line) => `SEED=${seed} tenant ${number}: ${line}`);
    });
    const sum = (of: (run: Run) => number) => together.reduce((total, run) => total + of(run), 0);
    return {
      rounds: operations * tenantCount,
      violations,
      figures: {
        tenants: tenantCount,
        replies: sum(({ story }) => story.length),
        facts: sum(({ view }) => view.length),
      },
    };
  },
);
