import { PageTitle } from '../../portal/parts/page_title.tsx';

/** What waits for a person, of all Tenants. */
export const Desk = () => (
  <PageTitle title="Review desk" text="What waits for a person, what is due first at the top." />
);
