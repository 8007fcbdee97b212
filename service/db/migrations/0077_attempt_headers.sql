-- Headers of attempts are stored packed (service/webhooks/header_text), which jsonb does not hold. Those that are
-- there stay as they are: a text that is not packed unpacks to itself.
alter table attempts
  alter column request_headers type text using request_headers::text,
  alter column response_headers type text using response_headers::text;
