/**
 * The binary form of batches that the .NET SDK speaks: rows of the HybridRow format, framed as RecordIO. Begin with
 * {@link RecordStream}.
 */
package dev.orrery.gateway.hybridrow;
