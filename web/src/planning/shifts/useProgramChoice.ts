import { rotations } from '@roadshow/contract/planning/rotations'
import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { shiftSuggestions } from '@roadshow/contract/planning/suggestions'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { Shift, ShiftInput } from '@roadshow/contract/planning/shifts'
import { useQueryClient } from '@tanstack/react-query'
import { Form } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../api/call.ts'
import { useMay } from '../../api/user.ts'
import { suggestionsQuery } from '../suggestions/useSuggestions.ts'

/** What a program brings along: its markets, its only approved artwork unless it has a rotation, and where the truck of the shift is at home. */
function useProgramFacts() {
  const queries = useQueryClient()
  const mayAskMarkets = useMay(shifts.programs)
  const mayAskArtwork = useMay(artworkSets.list)
  const mayAskRotation = useMay(rotations.get)
  const mayAskHome = useMay(shiftSuggestions.list)

  return {
    marketsOf: async (uid: string) => {
      if (!mayAskMarkets) return undefined
      return (await call(shifts.programs, { query: { uid } })).data.find((program) => program.uid === uid)?.markets
    },
    onlyArtworkOf: async (program: string) => {
      if (!mayAskArtwork) return undefined
      const rotation = mayAskRotation && (await call(rotations.get, { params: { uid: program } })).data
      if (rotation && rotation.lines.length > 0) return undefined
      const { data } = await call(artworkSets.list, { query: { program, status: 'approved', pageSize: '2' } })
      return data.length === 1 ? data[0]?.uid : undefined
    },
    homeOf: async ({ truckUid, date, start, end }: ShiftInput) => {
      const query = truckUid && mayAskHome ? suggestionsQuery({ date, start, end, truck: truckUid }) : undefined
      const known = query && (await queries.fetchQuery(query))
      return known?.trucks.find(({ uid }) => uid === truckUid)?.homeMarket?.uid
    },
  }
}

/**
 * What follows the choice of a program. Sets of another program are cleared. The market becomes the only one of the
 * program, or else the one where the truck is at home, unless it is one of the program. A new shift also takes the only
 * artwork: clearing it is a choice.
 */
export function useProgramChoice(shift: Shift | undefined): (uid: string) => Promise<void> {
  const form = Form.useFormInstance<ShiftInput>()
  const { marketsOf, onlyArtworkOf, homeOf } = useProgramFacts()

  async function settle(uid: string): Promise<void> {
    if (!uid) return
    const known = async <Fact>(fact: Promise<Fact>) => fact.catch(() => undefined)
    const typed = form.getFieldsValue(true) as ShiftInput
    const [markets, artwork, home] = await Promise.all([
      known(marketsOf(uid)),
      shift ? undefined : known(onlyArtworkOf(uid)),
      shift ? undefined : known(homeOf(typed)),
    ])
    const { programUid, marketUid, artworkSetUid } = form.getFieldsValue(true) as ShiftInput
    // Another program was chosen meanwhile.
    if (programUid !== uid) return
    if (markets && !markets.some((market) => market.uid === marketUid)) {
      const best = markets.length === 1 ? markets[0] : markets.find((market) => market.uid === home)
      form.setFieldValue('marketUid', best?.uid ?? '')
    }
    if (artwork && !artworkSetUid) form.setFieldValue('artworkSetUid', artwork)
  }

  // A new shift may begin with the program of a filter.
  const begin = useEffectEvent(() => {
    if (!shift) void settle(form.getFieldValue('programUid') as string)
  })
  useEffect(() => begin(), [])

  return async (uid) => {
    form.setFieldsValue({ artworkSetUid: null, addressSetUid: null })
    await settle(uid)
  }
}
