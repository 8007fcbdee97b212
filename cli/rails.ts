import { type Declaration, json, print } from './declare.ts';
import { type AnswerOf, operate } from './operate.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

type Answer = AnswerOf<'rails', 'check'>;

function lineOf({ provider, ok, lines }: Answer['providers'][number]): string {
  const said = lines.map(({ what, ok: isFine, advice }) =>
    isFine || advice === null ? what : `${what}: ${advice}`,
  );
  return `${provider}  ${ok ? 'ok' : 'FAILED'}  ${said.join('; ')}`;
}

const none = ({ module }: Answer): string =>
  module === null
    ? 'The sandbox plays the outside itself: there is no provider to check.'
    : `${module} lists no providers: there is nothing to check.`;

/** `rails check`: one line a provider; exit code 1 where one cannot be reached. */
function check(terminal: Terminal, options: { readonly json?: true }): ExitCode {
  const answer = operate(terminal, 'rails', 'check', {});
  const lines = answer.providers.length > 0 ? answer.providers.map(lineOf) : [none(answer)];
  print(terminal, options, answer, lines);
  return answer.ok ? exitCodes.done : exitCodes.failed;
}

export function declareRails({ terminal, root, add }: Declaration): void {
  const rails = add(root, 'rails', 'the outside services: adapters and the module of RAILS', []);
  const what = 'whether each provider can be reached, moving nothing; exit code 1 where one cannot';
  add(rails, 'check', what, [json], (options) => check(terminal, options));
}
