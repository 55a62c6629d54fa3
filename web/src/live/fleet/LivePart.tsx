import { motionOf } from '@roadshow/contract/live/fleet'
import type { LiveState, Motion, ShiftStage } from '@roadshow/contract/live/fleet'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { PanelTabs } from '../../ui/record/PanelTabs.tsx'
import { Stack } from '../../ui/layout.tsx'
import { SkeletonLine } from '../../ui/states.tsx'
import { useSearchParam } from '../../ui/useSearchParam.ts'
import { FleetFigures } from './FleetFigures.tsx'
import { FleetMap } from './FleetMap.tsx'
import { Interruption } from '../screens/Interruption.tsx'
import { useLiveFleet } from './liveFleet.ts'
import { NeedsAttention } from './NeedsAttention.tsx'
import { StateChips } from './StateChips.tsx'
import styles from './overview.module.css'
import { lazyPart } from '../../ui/lazyPart.tsx'

const TruckList = lazyPart(() => import('./TruckList.tsx'), { waiting: () => <SkeletonLine /> })

interface LivePartProps {
  stage: ShiftStage | undefined
  onStage: (stage: ShiftStage | undefined) => void
  /** More figures beside those of today. */
  figures?: ReactNode
}

/** The live part: figures, map, what needs attention, and every truck. */
export function LivePart({ stage, onStage, figures }: LivePartProps) {
  const trucks = useLiveFleet()
  const [states, setStates] = useState<readonly LiveState[]>([])
  const [motion, setMotion] = useState<Motion>()
  const [chosen, choose] = useSearchParam('live')
  const shown = useMemo(
    () =>
      trucks?.filter(
        (truck) => (states.length === 0 || states.includes(truck.state)) && (!motion || motionOf(truck) === motion),
      ),
    [trucks, states, motion],
  )
  return (
    <>
      <Interruption />
      <FleetFigures
        trucks={trucks}
        motion={motion}
        onMotion={setMotion}
        stage={stage}
        onStage={onStage}
        more={figures}
      />
      <div className={styles.fleet}>
        <Stack as="section" gap={2} aria-label="The fleet on a map">
          <StateChips trucks={trucks} chosen={states} onChange={setStates} />
          <FleetMap
            trucks={shown}
            chosen={trucks?.find(({ uid }) => uid === chosen)}
            onChoose={(uid) => uid !== chosen && choose(uid)}
          />
        </Stack>
        <PanelTabs
          className={styles.panel}
          tabs={[
            {
              key: 'needs',
              label: 'Needs attention',
              children: <NeedsAttention trucks={trucks} onChoose={choose} onStage={onStage} />,
            },
            {
              key: 'trucks',
              label: 'All trucks',
              children: <TruckList trucks={shown} chosen={chosen} onChoose={choose} />,
            },
          ]}
        />
      </div>
    </>
  )
}
