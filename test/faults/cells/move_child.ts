import { commandLine } from '../../../scripts/operate/actor.ts';
import { moveTenant } from '../../../service/cells/move/move.ts';

/** Moves a Tenant in a process of its own, which is killed (kill -9) at a step. */
const [url = '', tenantId = '', to = '', killedAt = ''] = process.argv.slice(2);

await moveTenant(
  url,
  { tenantId, to, actor: commandLine() },
  {
    at: (step) => {
      if (step === killedAt) process.kill(process.pid, 'SIGKILL');
    },
  },
);
