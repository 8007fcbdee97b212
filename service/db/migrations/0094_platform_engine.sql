-- The engine of the platform works in this schema alone, in the process of a remote cell too: there is no cell whose
-- function it could call.
create function control.expect(actual bigint, wanted bigint) returns void language plpgsql as $$
begin
  if actual <> wanted then
    raise exception 'rows changed since they were read: % of % are as before', actual, wanted
      using errcode = '40001';
  end if;
end $$;
