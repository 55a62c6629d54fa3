import { photoStatusLabel, pops } from '@roadshow/contract/proof/pop'
import type { PhotoStatus, PopPhoto } from '@roadshow/contract/proof/pop'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useNotice } from '../../ui/notices.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import { ChooseMarket } from './ChooseMarket.tsx'

type Acted = Pick<PopPhoto, 'uid' | 'name' | 'market' | 'status'>

/** The markets that a photo can be given when it is approved. */
export type PhotoMarkets = readonly { uid: string; name: string }[]

/** Photos that wait for their market, and the promise that is kept once it is chosen. */
interface MarketQuestion {
  markets: PhotoMarkets
  names: readonly string[]
  answer: (marketUid: string | undefined) => void
}

/** Asks for the market of photos that have none; undefined if the user cancels. */
function useMarketQuestion(isBusy: boolean) {
  const [asked, setAsked] = useState<MarketQuestion>()
  const ask = (names: readonly string[], markets: PhotoMarkets) =>
    new Promise<string | undefined>((answer) => setAsked({ names, markets, answer }))
  const answer = (marketUid: string | undefined) => {
    asked?.answer(marketUid)
    setAsked(undefined)
  }
  const question = asked && (
    <ChooseMarket
      names={asked.names}
      markets={asked.markets}
      busy={isBusy}
      onChoose={answer}
      onCancel={() => answer(undefined)}
    />
  )
  return { ask, question }
}

/**
 * Approves, hides and deletes one or several photos, with a notice of the result. `marketQuestion` is to be drawn: it
 * asks for the market of photos that are approved without one.
 */
export function usePhotoActions() {
  const setStatus = useSave(pops.setPhotoStatus)
  const removePhoto = useSave(pops.removePhoto)
  const restorePhoto = useSave(pops.restorePhoto)
  const notice = useNotice()
  async function restoreAll(uids: readonly string[]) {
    try {
      for (const uid of uids) await restorePhoto.mutateAsync({ params: { uid } })
      notice(`${countOf(uids.length, 'photo')} restored.`)
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
  }
  const isBusy = setStatus.isPending || removePhoto.isPending
  const { ask, question: marketQuestion } = useMarketQuestion(isBusy)
  return {
    isBusy,
    marketQuestion,
    /** Whether the photos have the status now. A photo without a market gets one of `markets` when it is approved. */
    async set(photos: readonly Acted[], status: PhotoStatus, markets: PhotoMarkets): Promise<boolean> {
      const without =
        status === 'approved' ? photos.filter((photo) => !photo.market && photo.status !== 'approved') : []
      const names = without.map(({ name }) => name)
      const marketUid = without.length > 0 ? await ask(names, markets) : undefined
      if (without.length > 0 && marketUid === undefined) return false
      try {
        const body = { uids: photos.map(({ uid }) => uid), status, ...(marketUid !== undefined && { marketUid }) }
        const { data } = await setStatus.mutateAsync({ body })
        notice(`${countOf(data.changed, 'photo')}: ${photoStatusLabel[status].toLowerCase()}.`)
        return true
      } catch (error) {
        notice(errorMessage(error), 'bad')
        return false
      }
    },
    async remove(photos: readonly Pick<PopPhoto, 'uid'>[]) {
      const removed: string[] = []
      try {
        for (const { uid } of photos) {
          await removePhoto.mutateAsync({ params: { uid } })
          removed.push(uid)
        }
        notice(`${countOf(removed.length, 'photo')} deleted.`, 'done', [
          { label: 'Undo', onAct: () => void restoreAll(removed) },
        ])
      } catch (error) {
        notice(
          `${removed.length > 0 ? `${countOf(removed.length, 'photo')} deleted. ` : ''}${errorMessage(error)}`,
          'bad',
        )
      }
    },
  }
}
