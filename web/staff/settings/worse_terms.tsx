import { Text, TextInput } from '@mantine/core';
import { changedTerms } from '@tenant-payments/contract/core/consumer_terms.ts';
import type { Settings as Whole } from '@tenant-payments/contract/core/settings.ts';
import { termWords } from '@tenant-payments/contract/core/term_words.ts';
import { useRead } from '../api/queries.ts';
import { counted } from '../parts/tell.ts';
import { When } from '../parts/when.tsx';
import type { Changes, Settings } from './use_save.ts';

interface WorseTermsProps {
  readonly settings: Settings;
  readonly changes: Changes;
  /** Why it must hold at once, as it is typed; absent: no reason of security can make it so. */
  readonly reason?: string;
  readonly onReason?: (reason: string) => void;
}

/**
 * The terms of a change that are worse for consumers: who is told, from when on they hold, and a
 * reason to hold at once (rules/documents#31).
 */
export function WorseTerms({ settings, changes, reason = '', onReason }: WorseTermsProps) {
  const { data } = useRead('GET /portal/api/consumer-terms', {});
  const { worse } = changedTerms(settings as Whole, { ...settings, ...changes } as Whole);
  if (!data || data.consumers === 0 || worse.length === 0) return null;
  return (
    <div role="status">
      <Text size="sm" fw={600}>
        Worse for consumers: {counted(data.consumers, 'consumer')} will be told, and it holds{' '}
        {reason.trim() === '' ? (
          <>
            from <When at={data.effective_at} isDate /> on.
          </>
        ) : (
          'at once.'
        )}
      </Text>
      {worse.map((piece) => (
        <Text key={piece.field} size="sm">
          {termWords(piece).en}
        </Text>
      ))}
      {onReason && (
        <TextInput
          mt="xs"
          maw={640}
          label="Reason of security"
          description="Only where it must hold at once to keep accounts or the system secure; it is kept"
          maxLength={500}
          value={reason}
          onChange={({ currentTarget: { value } }) => onReason(value)}
        />
      )}
    </div>
  );
}

/** The reason as it is sent with a change that must hold at once. */
export const withReason = (reason: string) =>
  reason.trim() === '' ? {} : { security_reason: reason.trim() };

/** Changes that wait for their day. */
export function WaitingTerms() {
  const { data } = useRead('GET /portal/api/consumer-terms', {});
  const waiting = (data?.changes ?? []).flatMap(({ effective_at, terms }) =>
    terms.filter(({ waits }) => waits).map(({ field, words }) => ({ field, words, effective_at })),
  );
  if (waiting.length === 0) return null;
  return (
    <div>
      {waiting.map(({ field, words, effective_at }) => (
        <Text key={field} size="sm">
          Waits until <When at={effective_at} isDate />: {words.en}
        </Text>
      ))}
    </div>
  );
}
