/** The records that can be deleted and restored, by the table that holds them. */
export const kindOfTable = {
  address_set: 'addressSet',
  artwork_set: 'artworkSet',
  client: 'client',
  client_program: 'program',
  device: 'device',
  incident: 'incident',
  market: 'market',
  pay_adjustment: 'payAdjustment',
  pixel_map: 'pixelMap',
  pop_photo: 'photo',
  shift: 'shift',
  truck: 'truck',
  user_account: 'user',
} as const

export type RecordTable = keyof typeof kindOfTable
export type RecordKindName = (typeof kindOfTable)[RecordTable]
export const recordKinds = Object.values(kindOfTable) as [RecordKindName, ...RecordKindName[]]
