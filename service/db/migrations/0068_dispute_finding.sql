-- What the investigation found, as the letter of the result tells the customer (rules/disputes#50).
alter table disputes add column finding text check (char_length(finding) between 1 and 2000);
