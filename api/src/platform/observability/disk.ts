import fs from 'node:fs/promises'
import { Gauge, Registry } from 'prom-client'

/** Metrics of the disk that holds a folder, read when they are asked for. A disk that cannot be read shows nothing. */
export function diskMetrics(folder: string): Registry {
  const registers = [new Registry()]
  const labels = { folder: 'data' }
  const gauge = (name: string, help: string, blocks: 'bavail' | 'blocks') =>
    new Gauge({
      name,
      help,
      labelNames: ['folder'],
      registers,
      async collect() {
        this.reset()
        const disk = await fs.statfs(folder).catch(() => undefined)
        if (disk) this.set(labels, disk[blocks] * disk.bsize)
      },
    })
  gauge('roadshow_disk_free_bytes', 'Room that is left on the disk of DATA_DIR.', 'bavail')
  gauge('roadshow_disk_size_bytes', 'Size of the disk of DATA_DIR.', 'blocks')
  return registers[0] as Registry
}
