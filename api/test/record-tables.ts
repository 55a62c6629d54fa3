import type { Endpoint } from '@roadshow/contract'

/** Whose uid stands in the address of a call, longest beginning first. */
const tables = {
  'campaigns/links': 'campaign_link',
  campaigns: 'client_program',
  'client-pop/photos': 'pop_photo',
  'overview/truck-issues': 'truck_issue',
  'overview/trucks': 'truck',
  'authentication/sessions': 'session',
  'payroll/adjustments': 'pay_adjustment',
  payroll: 'pay_period',
  'gps-address-sets': 'address_set',
  'artwork-sets': 'artwork_set',
  'client-programs': 'client_program',
  'sales-proposals': 'sales_proposal',
  programs: 'client_program',
  'client-pop': 'client_program',
  pop: 'client_program',
  'program-schedule': 'shift',
  'out-of-service': 'out_of_service',
  'daily-schedule': 'shift',
  clients: 'client',
  markets: 'market',
  trucks: 'truck',
  devices: 'device',
  user: 'user_account',
  pixel: 'pixel_map',
  issues: 'truck_issue',
  'api-keys': 'api_key',
  incidents: 'incident',
  'web-log': 'web_log',
  messages: 'message',
  files: 'stored_file',
  'blob-storage': 'stored_file',
}
/** The table that the uid in the path of a call belongs to; empty where it has none. */
export const tableOf = ({ path }: Endpoint) =>
  Object.entries(tables).find(([start]) => path.startsWith(start))?.[1] ?? ''
