import { positionAt } from './moments.ts'
import type { ReplayMapProps } from './replayMapProps.ts'
import { useMoment } from '../../ui/moment/useMoment.ts'

/** Replaces the map, which needs a canvas, in every test (`test-setup.ts`). */
export function ReplayMap({ model, clock }: ReplayMapProps) {
  const place = useMoment(clock, ({ at }) => {
    const position = positionAt(model.fixes, model.times, at)
    return position ? `${position.kind} at ${position.latitude.toFixed(3)}` : 'nowhere'
  })
  return <div role="application" aria-label={`Track of ${model.fixes.length} points, ${place}`} />
}

export const prepareReplayMap = () => {}
