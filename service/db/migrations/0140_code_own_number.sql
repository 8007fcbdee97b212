-- class: locks session_progress, for less than 50 ms
-- The customer's own number at the time, which a code was sent to: the code counts while it is the number (rules/hosted#49).
alter table session_progress add column code_own_hmac text;
