import { join } from 'node:path';
import { openBank } from './bank.ts';
import { keysOf } from './certificates.ts';
import { bankHandlers } from './http/bank_handlers.ts';
import { openDescription } from './http/description.ts';
import { playHandlers } from './http/play_handlers.ts';
import { openDoor } from './http/serve.ts';
import { openPlayer } from './play/player.ts';
import { settingsOf } from './settings.ts';
import { openWebhooks } from './webhooks.ts';

/** `npm run bank`: the sandbox bank as a process of its own. */

const loopback = '127.0.0.1';

/** A disk that refuses ends the bank: what it would say then may not be kept. */
function giveUp(error: unknown): never {
  console.error(`the bank ends: its journal cannot be written (${(error as Error).message})`);
  process.exit(1);
}

async function start(): Promise<void> {
  const settings = settingsOf(process.env);
  const { folder, host, port, playPort, webhookUrl, retryMs, behaviour } = settings;
  const keys = await keysOf(folder, [...new Set(['localhost', loopback, host])]);
  const bank = await openBank(join(folder, 'journal.jsonl'), behaviour, giveUp);
  const { serverCert: cert, serverKey: key, ca, webhookSecret: secret } = keys;
  const tls = { cert, key, ca, requestCert: true, rejectUnauthorized: true };
  const { routesOf } = openDescription(new URL('openapi.yaml', import.meta.url));
  const doors = [
    openDoor(routesOf('bank'), bankHandlers(bank), bank.settled, tls),
    openDoor(routesOf('play'), playHandlers(bank, behaviour), bank.settled, null),
  ] as const;
  await doors[0].listen({ host, port });
  await doors[1].listen({ host: loopback, port: playPort });
  const webhooks = openWebhooks(bank, { url: webhookUrl, secret, retryMs });
  const player = openPlayer(bank);
  console.log(`The bank is open: https://${host}:${port}, with ${folder}/client.pem`);
  console.log(`Play with it:     http://${loopback}:${playPort}/play`);

  async function end(): Promise<void> {
    player.close();
    webhooks.close();
    await Promise.all(doors.map((door) => door.close()));
    await bank.close();
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void end().then(() => process.exit(0)));
}

start().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
