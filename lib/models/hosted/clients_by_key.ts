import type { ApiKey } from "./api_keys.ts";

/** Clients by key, each made once. */
export function clientsByKey<Client>(make: (key: ApiKey) => Client): (key: ApiKey) => Client {
  const clients = new Map<ApiKey, Client>();
  return (key) => {
    const client = clients.get(key) ?? make(key);
    clients.set(key, client);
    return client;
  };
}
