import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PageTitle } from '../parts/page_title.tsx';
import { Trouble } from '../parts/trouble.tsx';

export const NoPage = () => (
  <>
    <PageTitle title="Not found" />
    <Text>
      There is no page at this address.{' '}
      <Anchor component={Link} to="/">
        Go to the start
      </Anchor>
      .
    </Text>
  </>
);

/** A page that could not be shown, such as after an upgrade of the service. */
export const Crashed = ({ error }: { readonly error: unknown }) => (
  <Trouble
    error={error instanceof Error ? error : new Error('unknown')}
    onRetry={() => location.reload()}
  />
);
