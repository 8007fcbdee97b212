-- class: online
-- Stored texts as SQL reads them (rules/events#9). Each function is bound to the tables of its own schema.

-- A packed text as it was; own: what the three codes without a word stand for.
create function unpacked_text(packed text, named text, own text[]) returns text
language sql stable strict parallel safe
return (
  select coalesce(string_agg(coalesce(w.word, case
      when t.piece = chr(1) then own[1]
      when t.piece = chr(25) then own[2]
      when t.piece = chr(31) then own[3]
      when length(t.piece) > 1 and ascii(t.piece) = 29
        then encode(decode(translate(substr(t.piece, 2), '-_', '+/') || '=', 'base64'), 'hex')
    end, t.piece), '' order by t.place), '')
  from (
    select m.pieces[1] as piece, m.place
    from regexp_matches(packed,
      '[\u0001-\u0019\u001f]|[\u001a-\u001c][\u0021-\u007e]|\u001d[A-Za-z0-9_-]{43}|[^\u0001-\u001f]+|.', 'g')
      with ordinality m(pieces, place)
  ) t
  left join stored_words w on w.dictionary = named and w.code = t.piece
);

-- The text of an event that was signed and sent; empty after its retention (rules/retention).
create function event_text(id uuid, object_id uuid, created_at timestamp with time zone, body text) returns text
language sql stable strict parallel safe
return unpacked_text(body, 'record', array[replace(id::text, '-', ''), replace(object_id::text, '-', ''),
  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')]);

create function event_body(event events) returns json
language sql stable parallel safe
return nullif(event_text(event.id, event.object_id, event.created_at, event.body), '')::json;

-- Headers of an attempt.
create function header_json(packed text) returns json
language sql stable strict parallel safe
return unpacked_text(packed, 'header', '{}')::json;

-- Replies and bodies of requests.
create function record_json(packed text) returns json
language sql stable strict parallel safe
return nullif(unpacked_text(packed, 'record', '{}'), '')::json;

create view events_readable with (security_invoker = true) as
  select e.tenant_id, e.id, 'evt_' || replace(e.id::text, '-', '') as public_id, e.type, e.object_type, e.object_id,
    e.version, e.sample, e.created_at, e.recorded_at, e.request_id, e.trace, event_body(e) as body
  from events e;

create view attempts_readable with (security_invoker = true) as
  select a.tenant_id, a.event_id, a.number, a.at, a.url, header_json(a.request_headers) as request_headers,
    a.response_status, header_json(a.response_headers) as response_headers, a.response_body, a.duration_ms, a.error,
    a.recorded_at
  from attempts a;

create view further_attempts_readable with (security_invoker = true) as
  select a.tenant_id, a.endpoint_id, a.event_id, a.number, a.at, a.url,
    header_json(a.request_headers) as request_headers, a.response_status,
    header_json(a.response_headers) as response_headers, a.response_body, a.duration_ms, a.error, a.recorded_at
  from further_attempts a;

create view requests_readable with (security_invoker = true) as
  select r.tenant_id, r.id, r.at, r.method, r.path, r.status, r.code, r.param, r.replayed, r.duration_ms,
    record_json(r.request_body) as request_body, record_json(r.response_body) as response_body, r.recorded_at,
    r.event_id, r.user_agent, r.refused_in_production
  from requests r;

create view replies_readable with (security_invoker = true) as
  select i.tenant_id, i.key_hash, i.created_at, i.event_id, i.session_id, i.once_field, record_json(i.body) as reply
  from idempotency i;
