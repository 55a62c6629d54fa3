import { addresses } from '@roadshow/contract/catalog/addresses'

/** Where an address set opens that another record names. */
export const addressSetPlace = { list: addresses.list, opensIn: { path: '/gps-addresses' } } as const
