-- Pairing that starts at the screen: it shows a code, a user enters the code at a truck, and the screen collects its key.
-- Oldest node: 0024

create table screen_pairing (
  uid uuid primary key default new_uid(),
  network text not null,
  address text not null,
  mac_address text not null,
  code_hash bytea not null,
  secret_hash bytea not null unique,
  expires_at timestamptz not null,
  -- The device that the code was entered for; the screen may collect its key.
  device_uid uuid references device (uid),
  -- A screen that asks again replaces its own code, and no other network can.
  constraint screen_pairing_once unique (network, mac_address)
);
create index screen_pairing_code on screen_pairing (code_hash);
create index screen_pairing_expired on screen_pairing (expires_at);
create index screen_pairing_device on screen_pairing (device_uid) where device_uid is not null;
