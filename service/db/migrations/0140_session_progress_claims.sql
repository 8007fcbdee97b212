-- class: locks session_progress, for less than 50 ms
-- A hash of the customer's own number at the time, which a code was sent to: the code counts while it is the number (rules/hosted#24).
-- And until when a call may take that gives the applicant's data to the identity provider (rules/customers#21).
alter table session_progress add column code_own_hash uuid, add column collecting_until timestamptz;
