import type { Command } from '@tenant-payments/engine/command.ts';
import { platformScope as platform } from '@tenant-payments/engine/platform.ts';
import { redactedValue } from '@tenant-payments/service/http/log/redact.ts';
import type { PortalEndpoint } from '../contract/endpoint.ts';
import { actOf } from './acts.ts';
import { changedFields, idIn } from './write.ts';

interface Options<Input, Loaded> {
  /** What the command changes, as it was loaded: the row then shows the fields that differ in what it answers. */
  readonly before?: (loaded: Loaded) => object;
  /** What the row shows instead of the command's answer. */
  readonly after?: (input: Input) => object;
  /** What it is done to; absent: the id that is given or answered. */
  readonly record?: (input: Input) => string | null;
}

/** The command as an operation of the portal: with its row of the audit, in its transaction (rules/audit#1). */
export const auditedCommand = <Input extends object, Loaded, Prepared>(
  endpoint: Pick<PortalEndpoint, 'id' | 'of'>,
  command: Command<Input, Loaded, Prepared>,
  { before, after, record }: Options<Input, Loaded> = {},
): Command<Input, Loaded, Prepared> => ({
  ...command,
  decide: (work, loaded, input, prepared) => {
    const was = before?.(loaded);
    const answer = command.decide(work, loaded, input, prepared);
    if ('ask' in answer) return answer;
    const done = ('value' in answer ? answer.value : answer.record) as object;
    const shown = after?.(input) ?? done;
    const changed = was ? changedFields(was, shown) : { before: null, after: shown };
    work.audit({
      act: actOf(endpoint),
      record: record ? record(input) : idIn(input, done),
      before: redactedValue(changed.before, true),
      after: redactedValue(changed.after, true),
      ...(endpoint.of === 'platform' && { scope: platform }),
    });
    return answer;
  },
});
