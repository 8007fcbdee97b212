-- The request log is searched for what went wrong: refusals are few, so these are small.
create index requests_refused on requests (tenant_id, status, id) where status >= 400;
create index requests_code on requests (tenant_id, code, id) where code is not null;
