import { text } from 'node:stream/consumers';
import { ApiError } from '../engine/fail.ts';
import { type Deployment, openDeployment } from './operate/deployment.ts';
import { linesOf } from './operate/fault.ts';
import { groups } from './operate/groups.ts';

/**
 * The command line runs this for what works on a deployment's own database: `operate.ts GROUP OPERATION`,
 * what it was given as JSON on standard input, never as an argument that others may read. It prints one
 * line of JSON, the answer or a refusal; of any other fault a line each on standard error. It is a
 * script, since the command line does not import the service.
 */
type Operation = (deployment: Deployment, given: object) => Promise<object>;

async function operate(group: string, name: string): Promise<object> {
  const load = Object.entries(groups).find(([known]) => known === group)?.[1];
  const operations = load && ((await load()).operations as Readonly<Record<string, unknown>>);
  const operation = operations?.[name] as Operation | undefined;
  if (operation === undefined) throw new Error(`no operation ${group} ${name}`);
  const given: object = JSON.parse(await text(process.stdin));
  const deployment = openDeployment(process.env);
  try {
    return await operation(deployment, given);
  } finally {
    await deployment.close();
  }
}

const [group = '', name = ''] = process.argv.slice(2);
try {
  process.stdout.write(`${JSON.stringify(await operate(group, name))}\n`);
} catch (error) {
  process.exitCode = 1;
  if (error instanceof ApiError) {
    const { code, message, param, details } = error;
    process.stdout.write(`${JSON.stringify({ code, message, param, details })}\n`);
  } else process.stderr.write(`${linesOf(error).join('\n')}\n`);
}
