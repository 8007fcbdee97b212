import { pino } from 'pino';
import { buildService, closeService } from '../../service/app.ts';
import { testDatabase } from '../harness/database.ts';
import { startTestService } from '../harness/service.ts';
import { openSender, type Sender } from './sender.ts';

/** Two services on one database: engine 0 and engine 1 of the sender. */
export interface RaceHouse extends Sender {
  /** Ends both. @throws when the whole book does not hold */
  stop(): Promise<void>;
}

/**
 * Starts both services, the first with its workers, for one tenant with the settings of the sample
 * tenant: no grace, so a record ends with its session. They share nothing but the database and the
 * secrets.
 */
export async function openRaceHouse(): Promise<RaceHouse> {
  const database = await testDatabase();
  const first = await startTestService({ database, tenant: { sample: true } });
  const second = await buildService(first.service.config, {
    databaseUrl: database.url,
    log: pino({ level: 'error' }),
  });
  return {
    ...openSender([first.service, second], first.tenant.tenantId),
    async stop() {
      await closeService(second);
      await first.stop();
      await database.drop();
    },
  };
}
