#!/bin/sh
# The login of the service, which does not own the tables. PostgreSQL's image runs this once, on an empty database.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres --dbname pay --set password="$PAY_SERVICE_PASSWORD" <<'SQL'
create role tenant_payments_service nologin;
create role pay_service login password :'password' in role tenant_payments_service;
SQL
