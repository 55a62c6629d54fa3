-- Two roles for the database of Roadshow: its owner changes tables (npm run migrate, npm run restore), and roadshow_app,
-- with which nodes run, reads and writes rows. Run it as a superuser, connected to that database, before the first
-- migration or at any later time; it may be repeated. The owner is the database's, whatever its name.
--
--   psql --dbname roadshow --file deploy/database/roles.sql
--   psql --dbname roadshow --command '\password roadshow_app'

do $$
declare
  owner regrole := (select datdba::regrole from pg_database where datname = current_database());
  area name;
begin
  if owner::text = 'roadshow_app' then
    raise exception 'The role roadshow_app owns this database. Run: alter database % owner to another role.', current_database();
  end if;
  if not exists (select from pg_roles where rolname = 'roadshow_app') then
    create role roadshow_app login;
  end if;
  alter role roadshow_app nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
  execute format('grant connect, temporary on database %I to roadshow_app', current_database());
  -- Where the database lies, so that a node on the same machine can watch its disk.
  grant pg_read_all_settings to roadshow_app;

  -- Databases of PostgreSQL 14 and before let every role create tables in this schema.
  revoke create on schema public from public;
  execute format('grant usage, create on schema public to %s', owner);

  -- Whatever the owner creates from now on: tables by migrations, weeks of plays and positions while nodes run.
  execute format('alter default privileges for role %s grant usage on schemas to roadshow_app', owner);
  execute format('alter default privileges for role %s grant select, insert, update, delete on tables to roadshow_app', owner);
  execute format('alter default privileges for role %s grant usage, select, update on sequences to roadshow_app', owner);

  -- Whatever is there already.
  for area in select nspname from pg_namespace where nspname in ('public', 'merging') loop
    execute format('grant usage on schema %I to roadshow_app', area);
    execute format('grant select, insert, update, delete on all tables in schema %I to roadshow_app', area);
    execute format('grant usage, select, update on all sequences in schema %I to roadshow_app', area);
  end loop;

  -- Only a restore switches triggers off, and it runs as the owner.
  revoke set on parameter session_replication_role from roadshow_app;
end $$;
