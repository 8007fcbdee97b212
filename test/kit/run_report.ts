import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** One line for one fault, short enough that the end of a log shows all of them. */
function line(where: string, message: string): string {
  const text = message.replaceAll(/\s+/g, ' ').slice(0, 300);
  return `  ${where}: ${text}\n`;
}

/** The first message of each distinct kind that a test or a file failed with. */
const messagesOf = (errors: readonly { readonly message: string }[] = []): string =>
  [...new Set(errors.map(({ message }) => message))].join(' | ');

function* testsOf(modules: readonly TestModule[]): Generator<TestCase> {
  for (const module of modules) yield* module.children.allTests();
}

/** The lines of a run's end: what failed, and what passed at its second try alone. Empty: nothing of either. */
function reportOf(modules: readonly TestModule[]): string {
  let failed = '';
  let unstable = '';
  for (const module of modules)
    if (module.errors().length > 0)
      failed += line(module.relativeModuleId, messagesOf(module.errors()));
  for (const test of testsOf(modules)) {
    const { state, errors } = test.result();
    const where = `${test.module.relativeModuleId} > ${test.fullName}`;
    if (state === 'failed') failed += line(where, messagesOf(errors));
    else if (test.diagnostic()?.flaky) unstable += line(where, messagesOf(errors));
  }
  return [
    failed && `\nFailed:\n${failed}`,
    unstable && `\nPassed at the second try alone, and must be looked into:\n${unstable}`,
  ].join('');
}

/**
 * Ends a run with a line for each fault: what a machine keeps of a long log is its end.
 */
export class RunReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    process.stdout.write(reportOf(modules));
    if (unhandled.length > 0)
      process.stdout.write(line('outside of a test', messagesOf(unhandled)));
  }
}
