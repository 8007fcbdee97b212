import { Search } from '../../staff/palette/opener.tsx';

const load = () => import('./palette.tsx');

/** Finds Tenants, records of all of them, pages and actions (Ctrl K). */
export const Find = () => <Search name="console" load={load} />;
