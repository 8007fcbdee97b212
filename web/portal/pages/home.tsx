import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useRead } from '../../staff/api/queries.ts';
import { PageTitle } from '../../staff/parts/page_title.tsx';
import { Trouble } from '../../staff/parts/trouble.tsx';

const everyMs = 15_000;

/** The heading comes with the application, what stands below it by itself; both are asked for at once. */
const HomeParts = lazy(async () => ({ default: (await import('../groups/home.ts')).HomeParts }));

const Loading = () => <Skeleton height={480} role="status" aria-label="Loading" />;

/** How the Tenant does: what needs somebody, its money, and how the last day went. */
export function Home() {
  const { data, error, refetch } = useRead('GET /portal/api/overview', {}, everyMs);
  return (
    <>
      <PageTitle title="Home" text="What needs you, your money, and how the last 24 hours went." />
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && (
        <Suspense fallback={<Loading />}>
          <HomeParts overview={data} />
        </Suspense>
      )}
    </>
  );
}
