"""A Modbus TCP device of pymodbus (pip install pymodbus), for modbus-peer.int.test.ts: prints its port, runs until stdin ends."""
import asyncio
import socket
import sys

from pymodbus.datastore import ModbusDeviceContext, ModbusSequentialDataBlock, ModbusServerContext
from pymodbus.server import StartAsyncTcpServer


async def main():
    def block(values):
        return ModbusSequentialDataBlock(1, values)

    # 12.5 as FLOAT32, -2 as INT32 with the lower word first, 1 234 567 890 123 as UINT64, then their own addresses.
    holding = [7, 0x4148, 0, 0xFFFE, 0xFFFF, 0, 0x011F, 0x71FB, 0x04CB] + list(range(9, 300))
    device = ModbusDeviceContext(
        di=block([False, True] * 20), co=block([True, False] * 20), hr=block(holding), ir=block([65533] * 20)
    )
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        port = probe.getsockname()[1]
    server = asyncio.create_task(
        StartAsyncTcpServer(ModbusServerContext(devices={5: device}, single=False), address=('127.0.0.1', port))
    )
    await asyncio.sleep(0.3)
    print(port, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.cancel()


asyncio.run(main())
