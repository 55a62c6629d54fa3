import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { ComponentType } from 'react'
import { permissionsOf, canCall, useUser } from '../api/user.ts'

/**
 * The places that later neighborhoods fill: a drawer of the catalog shows tabs of planning, live and proof without
 * importing them. The owner of a slot declares here, by augmentation, the props that its parts get.
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface SlotProps {}

export type SlotName = keyof SlotProps

/** One part of a slot. */
export interface SlotPart<Props> {
  key: string
  label: string
  /** Only users who may make this call see the part. */
  needs: Endpoint
  isShown?: (props: Props) => boolean
  Content: ComponentType<Props>
}

/** The parts of each slot, loaded when the slot is first shown. */
export type Slots = {
  [Name in SlotName]: () => Promise<{ default: readonly SlotPart<SlotProps[Name]>[] }>
}

/** The slots whose parts get a record of this kind. */
export type RecordSlot<Row> = {
  [Name in SlotName]: SlotProps[Name] extends { record: Row } ? Name : never
}[SlotName]

export const SlotsContext = createContext<Slots | undefined>(undefined)

/** The parts of a slot that the user may see; undefined while they load. */
export function useSlot<Name extends SlotName>(name: Name | undefined) {
  const slots = use(SlotsContext)
  const user = permissionsOf(useUser())
  const load = name && slots?.[name]
  const { data } = useQuery({
    queryKey: ['slot', name ?? ''],
    queryFn: async () => (await load?.())?.default ?? [],
    enabled: load !== undefined,
    staleTime: Infinity,
    throwOnError: true,
  })
  const parts = load ? data : []
  return parts?.filter(({ needs }) => canCall(user, needs)) as readonly SlotPart<SlotProps[Name]>[] | undefined
}

interface SlotPartsProps<Name extends SlotName> {
  name: Name
  props: SlotProps[Name]
}

/** The parts of a slot below one another. */
export function SlotParts<Name extends SlotName>({ name, props }: SlotPartsProps<Name>) {
  const parts = useSlot(name) ?? []
  return parts
    .filter(({ isShown }) => isShown?.(props) !== false)
    .map(({ key, Content }) => <Content key={key} {...props} />)
}
