import { runProgram } from '../run_program.ts';

export interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** The command by which a person has the same again. */
  readonly repeat: string;
}

export interface Outcome {
  readonly name: string;
  readonly passed: boolean;
  readonly minutes: number;
  readonly repeat: string;
  /** The files with the seeds that failed. */
  readonly kept?: readonly string[];
}

/** Runs a step to its end; what it prints is shown. */
export async function runStep(
  { name, command, repeat }: Step,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Outcome> {
  const began = performance.now();
  process.stdout.write(`\n${name}: ${command.join(' ')}\n`);
  const { passed } = await runProgram(command, 'inherit', env);
  return { name, passed, minutes: (performance.now() - began) / 60_000, repeat };
}

const rowOf = ({ name, passed, minutes, repeat, kept = [] }: Outcome): readonly string[] => [
  name,
  passed ? 'fine' : 'FAILED',
  minutes.toFixed(1),
  kept.length > 0 ? `${repeat}; kept ${kept.join(', ')}` : repeat,
];

/** The night in one table of Markdown. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const [head, ...rows] = [
    ['step', 'result', 'minutes', 'to repeat'],
    ...outcomes.map(rowOf),
  ] as const;
  const line = (cells: readonly string[] = []) => `| ${cells.join(' | ')} |`;
  return [line(head), '| --- | --- | --- | --- |', ...rows.map(line)].join('\n');
}
