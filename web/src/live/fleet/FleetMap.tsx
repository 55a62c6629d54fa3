import type { LiveTruck } from '@roadshow/contract/live/fleet'
import { useMemo, useState } from 'react'
import { SpotMap } from '../../ui/map/SpotMap.tsx'
import { TruckCard } from './TruckCard.tsx'
import { spotOf } from './truckState.tsx'
import { useTrack } from './useTrack.ts'

interface FleetMapProps {
  trucks: readonly LiveTruck[] | undefined
  chosen: LiveTruck | undefined
  onChoose: (uid: string | undefined) => void
}

/** The fleet on a map, with the card and today's track of the truck that was chosen. */
export function FleetMap({ trucks = [], chosen, onChoose }: FleetMapProps) {
  const [followed, follow] = useState<string>()
  const isFollowing = chosen !== undefined && followed === chosen.uid
  const { track, driven } = useTrack(chosen)
  const spots = useMemo(() => {
    // The chosen one stays, whatever the map is narrowed to.
    const isAway = chosen && !trucks.some(({ uid }) => uid === chosen.uid)
    return [...trucks, ...(isAway ? [chosen] : [])].flatMap(spotOf)
  }, [trucks, chosen])
  return (
    <SpotMap
      label="Map of the fleet. The All trucks list has the same data as text."
      spots={spots}
      chosen={chosen?.uid}
      onChoose={onChoose}
      isFollowing={isFollowing}
      onLeave={() => follow(undefined)}
      track={track}
      aside={
        chosen && (
          <TruckCard
            truck={chosen}
            driven={driven}
            isFollowing={isFollowing}
            onFollow={(isOn) => follow(isOn ? chosen.uid : undefined)}
            onClose={() => onChoose(undefined)}
          />
        )
      }
    />
  )
}
