import { Anchor, List, Skeleton, Text } from '@mantine/core';
import type { DisputeLetter } from '@tenant-payments/backoffice/contract/operate/dispute_letters.ts';
import { useRead } from '../../staff/api/queries.ts';
import { Section } from '../../staff/parts/section.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';
import { dayInWords } from '../../ui/dates.ts';

/** Milliseconds after which a letter is read again, before its address ends at 15 minutes. */
const everyMs = 10 * 60_000;

/** Why a dispute has no letter of a kind; of another outcome nobody asks. */
const whyNot: Readonly<Partial<Record<NonNullable<DisputeLetter['reason']>, string>>> = {
  linked: 'The letters are those of the first notice of the same movement.',
  customer_erased: 'The personal data of the customer was erased.',
};

/** The letters to the customer that a dispute has now, as PDF files. */
export function Letters({ id }: { readonly id: string }) {
  const { data, error, refetch } = useRead('GET /portal/api/disputes/:id/letters', { id }, everyMs);
  const letters = data?.data ?? [];
  const written = letters.filter(({ available }) => available);
  const why = letters.flatMap(({ reason }) => (reason && whyNot[reason]) ?? [])[0];
  return (
    <Section title="Letters to the customer">
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={40} />}
      {data && written.length === 0 && (
        <Text size="sm" c="dimmed">
          {why ??
            'None yet: a provisional credit and a determination each have one, and a notice that came late or was answered before.'}
        </Text>
      )}
      {written.length > 0 && (
        <List size="sm">
          {written.map(({ kind, title, date, give_today, download_url }) => (
            <List.Item key={kind}>
              <Anchor href={download_url ?? ''} size="sm" underline="always">
                {title}
              </Anchor>
              {`${date === null ? '' : ` of ${dayInWords(date, 'en')}`} (PDF), `}
              <Anchor
                href={`${download_url ?? ''}?language=es`}
                size="sm"
                hrefLang="es"
                underline="always"
              >
                in Spanish
              </Anchor>
              {give_today && (
                <Text size="sm">
                  The customer does not have it yet. It is dated today, since the days until the
                  debit count from when it is given: give it today, or download it again on the day
                  on which you do.
                </Text>
              )}
            </List.Item>
          ))}
        </List>
      )}
    </Section>
  );
}
