import { moveTenant } from '../../../fleet/move/move.ts';
import { commandLine } from '../../../scripts/operate/actor.ts';

/** Moves a Tenant in a process of its own, which is killed (kill -9) at a step. */
const [control = '', remote = '', tenantId = '', to = '', killedAt = ''] = process.argv.slice(2);

await moveTenant(
  { control, remote: new Map(JSON.parse(remote)) },
  { tenantId, to, actor: commandLine() },
  {
    at: (step) => {
      if (step === killedAt) process.kill(process.pid, 'SIGKILL');
    },
  },
);
